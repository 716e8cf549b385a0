package asg_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	asg "github.com/agentstategraph/agentstategraph-go"
)

func Example() {
	ctx := context.Background()
	db, err := asg.Open(ctx, asg.Memory)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	agent := db.As("agent/scaler")
	if _, err := agent.Set(ctx, "/cluster/replicas", 3, "Scale up", asg.WithReasoning("Traffic rose"), asg.WithConfidence(0.85)); err != nil {
		log.Fatal(err)
	}
	replicas, err := asg.Get[int](ctx, db, "/cluster/replicas")
	if err != nil {
		log.Fatal(err)
	}
	blame, err := db.Blame(ctx, "/cluster/replicas")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(replicas, "by", blame.Agent, "because", blame.Reasoning)
	// Output: 3 by agent/scaler because Traffic rose
}

func ExampleClient_LogAll() {
	ctx := context.Background()
	db, err := asg.Open(ctx, asg.Memory)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for _, zone := range []string{"a", "b"} {
		if _, err := db.Set(ctx, "/zones/-", zone, "Add zone "+zone); err != nil {
			log.Fatal(err)
		}
	}
	for commit, err := range db.LogAll(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(commit.Intent.Description)
	}
	// Output:
	// Add zone b
	// Add zone a
}

func ExampleError() {
	ctx := context.Background()
	db, err := asg.Open(ctx, asg.Memory)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	_, err = asg.Get[int](ctx, db, "/nothing")
	var told *asg.Error
	if errors.As(err, &told) {
		fmt.Println(told.Code, told.Kind)
	}
	fmt.Println(errors.Is(err, asg.PathNotFound))
	// Output:
	// path-not-found not-found
	// true
}
